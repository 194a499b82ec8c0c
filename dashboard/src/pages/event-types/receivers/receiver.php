<?php
// Run it with: php -S 0.0.0.0:3000 receiver.php

$secret = getenv('WEBHOOK_SECRET'); // whsec_…, or the public key whpk_…

/** Whether one signature is right: Ed25519 for a public key, HMAC-SHA256 for a secret. */
function is_right(string $signed, string $given, string $secret): bool
{
    $key = base64_decode(preg_replace('/^wh(sec|pk)_/', '', $secret));
    if (str_starts_with($secret, 'whpk_')) {
        return strlen($given) === SODIUM_CRYPTO_SIGN_BYTES && sodium_crypto_sign_verify_detached($given, $signed, $key);
    }
    return hash_equals(hash_hmac('sha256', $signed, $key, true), $given);
}

/** Whether these bytes were signed for the key, at most 5 minutes ago. */
function is_genuine(string $body, string $secret): bool
{
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($time) || abs(time() - (int) $time) > 300) {
        return false;
    }
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . '.' . $time . '.' . $body;
    $version = str_starts_with($secret, 'whpk_') ? 'v1a,' : 'v1,';
    // Two signatures while the key is rotated.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $each) {
        if (!str_starts_with($each, $version)) {
            continue;
        }
        if (is_right($signed, (string) base64_decode(substr($each, strlen($version))), $secret)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input'); // the raw bytes, before any parser
if (!is_genuine($body, $secret)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// Store the event here, unless you know its id. Then answer, and work later.
if ($event['type'] === 'cart.order.completed') {
    error_log('Received ' . $event['id']);
}
http_response_code(204);
