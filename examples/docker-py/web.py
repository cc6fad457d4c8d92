"""Starts a web server on a port that Berth picks, reads its page, and removes it. DOCKER_HOST says where Berth is."""

import time
import urllib.error
import urllib.request

import docker

client = docker.from_env()
container = client.containers.run(
    "berth/demo",
    ["sh", "-c", "mkdir /www; echo hello from docker-py > /www/index.html; exec httpd -f -p 80 -h /www"],
    detach=True,
    ports={"80/tcp": ("127.0.0.1",)},
)
try:
    container.reload()
    port = container.ports["80/tcp"][0]["HostPort"]
    for _ in range(100):
        try:
            print(urllib.request.urlopen(f"http://127.0.0.1:{port}/").read().decode().strip())
            break
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
finally:
    container.remove(force=True)
