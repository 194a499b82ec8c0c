require "json"
require "openssl"
require "socket"

SECRET = ENV.fetch("WEBHOOK_SECRET") # whsec_…
KEY = SECRET.delete_prefix("whsec_").unpack1("m")

# Whether these bytes were signed with the secret, at most 5 minutes ago.
def genuine?(headers, body)
  time = headers["webhook-timestamp"].to_s
  return false unless time.match?(/\A\d+\z/) && (Time.now.to_i - time.to_i).abs <= 300

  signed = "#{headers["webhook-id"]}.#{time}.".b + body
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", KEY, signed)].pack("m0")
  # Two signatures while the secret is rotated.
  headers["webhook-signature"].to_s.split(" ").any? do |given|
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
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
