package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// isGenuine says whether these bytes were signed with the key, at most 5 minutes ago.
func isGenuine(header http.Header, body, key []byte) bool {
	sentAt, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.", header.Get("webhook-id"), sentAt)
	mac.Write(body)
	expected := mac.Sum(nil)
	// Two signatures while the secret is rotated.
	for _, each := range strings.Fields(header.Get("webhook-signature")) {
		encoded, isV1 := strings.CutPrefix(each, "v1,")
		given, err := base64.StdEncoding.DecodeString(encoded)
		if isV1 && err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET") // whsec_…
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("WEBHOOK_SECRET is missing or no secret")
	}
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // the raw bytes, before any parser
		if err != nil || !isGenuine(r.Header, body, key) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event struct {
			ID   string          `json:"id"`
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal(body, &event) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// Store the event here, unless you know its id. Then answer, and work later.
		if event.Type == "cart.order.completed" {
			fmt.Println("Received", event.ID)
		}
		w.WriteHeader(http.StatusNoContent)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Listening on port", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
