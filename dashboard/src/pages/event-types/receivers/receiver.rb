require "json"
require "openssl"
require "socket"

SECRET = ENV.fetch("WEBHOOK_SECRET") # whsec_…, or the public key whpk_…
KEY = SECRET.partition("_").last.unpack1("m")
PUBLIC = SECRET.start_with?("whpk_")

# Whether one signature is right: Ed25519 for a public key, HMAC-SHA256 for a secret.
def right?(signed, given)
  if PUBLIC
    key = OpenSSL::PKey.read(["302a300506032b6570032100"].pack("H*") + KEY)
    given.bytesize == 64 && key.verify(nil, given, signed)
  else
    expected = OpenSSL::HMAC.digest("SHA256", KEY, signed)
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end

# Whether these bytes were signed for the key, at most 5 minutes ago.
def genuine?(headers, body)
  time = headers["webhook-timestamp"].to_s
  return false unless time.match?(/\A\d+\z/) && (Time.now.to_i - time.to_i).abs <= 300

  signed = "#{headers["webhook-id"]}.#{time}.".b + body
  # Two signatures while the key is rotated.
  headers["webhook-signature"].to_s.split(" ").any? do |each|
    version, given = each.split(",", 2)
    version == (PUBLIC ? "v1a" : "v1") && right?(signed, given.to_s.unpack1("m"))
  end
end

def receive(client)
  client.gets # POST / HTTP/1.1
  headers = {}
  while (line = client.gets&.chomp) && !line.empty?
    name, value = line.split(": ", 2)
    headers[name.downcase] = value
  end
  body = client.read(headers["content-length"].to_i) # the raw bytes, before any parser
  return "401 Unauthorized" unless genuine?(headers, body)

  event = JSON.parse(body)
  # Store the event here, unless you know its id. Then answer, and work later.
  puts "Received #{event["id"]}" if event["type"] == "cart.order.completed"
  "204 No Content"
end

$stdout.sync = true
server = TCPServer.new(Integer(ENV.fetch("PORT", "3000")))
puts "Listening on port #{server.addr[1]}"
loop do
  Thread.new(server.accept) do |client|
    client.write("HTTP/1.1 #{receive(client)}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  ensure
    client.close
  end
end
