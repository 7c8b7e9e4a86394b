// SPDX-License-Identifier: Apache-2.0

// Lists the servers that relativityd knows, with the Varlink package for Go.
//
//	go run main.go [ENDPOINT]
//
// On Debian: apt install golang-go golang-github-varlink-go-dev, then
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run main.go
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/varlink/go/varlink"
)

type endpoint struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	State string `json:"state"`
	URL   string `json:"url"`
}

func address() string {
	path := os.Getenv("RELATIVITYD_SOCKET")
	if path == "" {
		path = os.Getenv("XDG_RUNTIME_DIR") + "/relativityd/relativityd.sock"
	}
	return "unix:" + path
}

func list(ctx context.Context, daemon *varlink.Connection) ([]endpoint, error) {
	var reply struct {
		Endpoints []endpoint `json:"endpoints"`
	}
	err := daemon.Call(ctx, "org.relativityd.Registry.List", nil, &reply)
	return reply.Endpoints, err
}

func get(ctx context.Context, daemon *varlink.Connection, reference string) ([]endpoint, error) {
	var reply struct {
		Endpoint endpoint `json:"endpoint"`
	}
	parameters := map[string]string{"endpoint": reference}
	err := daemon.Call(ctx, "org.relativityd.Registry.Get", parameters, &reply)
	return []endpoint{reply.Endpoint}, err
}

func run() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	daemon, err := varlink.NewConnection(ctx, address())
	if err != nil {
		return err
	}
	defer daemon.Close()

	var found []endpoint
	if len(os.Args) > 1 {
		found, err = get(ctx, daemon, os.Args[1])
	} else {
		found, err = list(ctx, daemon)
	}
	if err != nil {
		return err
	}
	for _, each := range found {
		// Names are foreign text: %q keeps escape sequences off the terminal.
		fmt.Printf("%s %q %s %s\n", each.ID, each.Name, each.State, each.URL)
	}
	return nil
}

// explain gives an error of the daemon: its name and the text.
func explain(refused *varlink.Error) string {
	var facts struct {
		Message string `json:"message"`
	}
	if raw, ok := refused.Parameters.(*json.RawMessage); ok && raw != nil {
		// Without facts the name alone has to do.
		_ = json.Unmarshal(*raw, &facts)
	}
	return fmt.Sprintf("%s: %s", refused.Name, facts.Message)
}

func main() {
	err := run()
	var refused *varlink.Error
	switch {
	case err == nil:
	case errors.As(err, &refused):
		fmt.Fprintln(os.Stderr, explain(refused))
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
