<?php
// Run it with: php -S 0.0.0.0:3000 receiver.php

$key = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET')));

/** Whether these bytes were signed with the secret, at most 5 minutes ago. */
function is_genuine(string $body, string $key): bool
{
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($time) || abs(time() - (int) $time) > 300) {
        return false;
    }
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . '.' . $time . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    // Two signatures while the secret is rotated.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input'); // the raw bytes, before any parser
if (!is_genuine($body, $key)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// Store the event here, unless you know its id. Then answer, and work later.
if ($event['type'] === 'cart.order.completed') {
    error_log('Received ' . $event['id']);
}
http_response_code(204);
