package main

import (
	"crypto/ed25519"
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

// isRight says whether one signature is right: Ed25519 for a public key, HMAC-SHA256 for a secret.
func isRight(signed, given, key []byte, isPublic bool) bool {
	if isPublic {
		return ed25519.Verify(key, signed, given)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(signed)
	return hmac.Equal(given, mac.Sum(nil))
}

// isGenuine says whether these bytes were signed for the key, at most 5 minutes ago.
func isGenuine(header http.Header, body, key []byte, isPublic bool) bool {
	sentAt, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > 5*time.Minute {
		return false
	}
	signed := append(fmt.Appendf(nil, "%s.%d.", header.Get("webhook-id"), sentAt), body...)
	version := "v1,"
	if isPublic {
		version = "v1a,"
	}
	// Two signatures while the key is rotated.
	for _, each := range strings.Fields(header.Get("webhook-signature")) {
		encoded, isOurs := strings.CutPrefix(each, version)
		given, err := base64.StdEncoding.DecodeString(encoded)
		if isOurs && err == nil && isRight(signed, given, key, isPublic) {
			return true
		}
	}
	return false
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET") // whsec_…, or the public key whpk_…
	encoded, isPublic := strings.CutPrefix(secret, "whpk_")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(encoded, "whsec_"))
	if err != nil || len(key) == 0 || isPublic && len(key) != ed25519.PublicKeySize {
		log.Fatal("WEBHOOK_SECRET is missing, or neither a secret nor a public key")
	}
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // the raw bytes, before any parser
		if err != nil || !isGenuine(r.Header, body, key, isPublic) {
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
