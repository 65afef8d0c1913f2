// net/http with golang.org/x/oauth2, as `Performance others` runs it: see the article "What a request costs".
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// A client with so many connections to a host.
func newClient(connections int) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = connections
	transport.MaxIdleConnsPerHost = connections
	transport.MaxConnsPerHost = connections
	return &http.Client{Transport: transport, Timeout: 60 * time.Second}
}

// The status of a response whose body is read; 0 for an error.
func get(client *http.Client, url string) int {
	response, err := client.Get(url)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0
	}
	return response.StatusCode
}

// Gets a small answer for some time, so many at once.
func small(url string, inFlight int, seconds float64) map[string]any {
	client := newClient(inFlight)
	run := func(seconds float64) (requests, failures int, elapsed float64) {
		start := time.Now()
		end := start.Add(time.Duration(seconds * float64(time.Second)))
		var mutex sync.Mutex
		var group sync.WaitGroup
		for i := 0; i < inFlight; i++ {
			group.Add(1)
			go func() {
				defer group.Done()
				done, bad := 0, 0
				for time.Now().Before(end) {
					if get(client, url) != http.StatusOK {
						bad++
					}
					done++
				}
				mutex.Lock()
				requests += done
				failures += bad
				mutex.Unlock()
			}()
		}
		group.Wait()
		return requests, failures, time.Since(start).Seconds()
	}
	run(seconds / 5)
	requests, failures, elapsed := run(seconds)
	return map[string]any{"requests": requests, "failures": failures, "seconds": elapsed}
}

// Sends requests at once, without a token, and with one that was revoked.
func challenged(base string, count int) map[string]any {
	plain := newClient(count)
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, plain)
	config := clientcredentials.Config{
		ClientID: "performance", ClientSecret: "secret", TokenURL: base + "/token", AuthStyle: oauth2.AuthStyleInHeader,
	}
	client := config.Client(ctx)
	send := func(number int) int {
		url := base + "/resource/" + strconv.Itoa(number)
		status := get(client, url)
		if status != http.StatusUnauthorized {
			return status
		}
		token, err := config.Token(ctx)
		if err != nil {
			return 0
		}
		return get(oauth2.NewClient(ctx, oauth2.StaticTokenSource(token)), url)
	}
	run := func() map[string]any {
		start := time.Now()
		statuses := make([]int, count)
		var group sync.WaitGroup
		for i := 0; i < count; i++ {
			group.Add(1)
			go func(number int) {
				defer group.Done()
				statuses[number] = send(number)
			}(i)
		}
		group.Wait()
		failures := 0
		for _, status := range statuses {
			if status != http.StatusOK {
				failures++
			}
		}
		return map[string]any{"milliseconds": float64(time.Since(start).Microseconds()) / 1000, "failures": failures}
	}
	cold := run()
	if response, err := plain.Post(base+"/revoke", "", nil); err == nil {
		response.Body.Close()
	}
	return map[string]any{"cold": cold, "revoked": run()}
}

func main() {
	var result map[string]any
	number, _ := strconv.Atoi(os.Args[3])
	if os.Args[1] == "small" {
		seconds, _ := strconv.ParseFloat(os.Args[4], 64)
		result = small(os.Args[2], number, seconds)
	} else {
		result = challenged(os.Args[2], number)
	}
	text, _ := json.Marshal(result)
	fmt.Println(string(text))
}
