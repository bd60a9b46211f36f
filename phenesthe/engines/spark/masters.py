"""What `--master` may be, and whether anybody answers there.

Spark itself tries an unreachable master for a minute, and a Connect server for ten.
"""

import os
import re
import socket

from phenesthe.engines.spark.failures import EngineError
from phenesthe.options import name_option

_PATIENCE = 5.0
_CONNECT_PORT = 15002
_KINDS = (
    "local, local[N], local[*], spark://HOST:7077, yarn, k8s://https://HOST:PORT, or sc://HOST "
    "for Spark Connect"
)
_LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)(,\s*\d+)?\])?")
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY")


def is_connect_url(master: str) -> bool:
    return master.startswith("sc://")


def hide_token(master: str) -> str:
    """The URL without the parameters of Spark Connect, which may be secret."""
    return master.partition("/;")[0]


def check_master(master: str) -> None:
    """An error with the remedy, if Spark would not understand the URL or nobody is there."""
    if _LOCAL.fullmatch(master):
        return
    if master == "yarn":
        if not (os.environ.get("HADOOP_CONF_DIR") or os.environ.get("YARN_CONF_DIR")):
            raise EngineError(
                "the master `yarn` is known only by its configuration, and none is named",
                "set HADOOP_CONF_DIR (or YARN_CONF_DIR) to the folder with yarn-site.xml",
            )
        return
    places = _list_places(master)
    if not places:
        raise EngineError(f"`{master}` is no master that Spark knows", f"write {_KINDS}")
    reasons = [reason for host, port in places if (reason := _knock(host, port))]
    if len(reasons) == len(places) and not any(os.environ.get(name) for name in _PROXIES):
        raise EngineError(
            f"nobody answers at {hide_token(master)}: {reasons[0]}",
            "see that it runs, that host and port are right and that no firewall is between; "
            f"without {name_option('master', python='a master')} Spark runs on this machine",
        )


def _list_places(master: str) -> list[tuple[str, int]]:
    """Hosts and ports in a URL; several for a standby master."""
    scheme, _, rest = master.partition("://")
    match scheme:
        case "spark":
            default = 7077
        case "sc":
            default, rest = _CONNECT_PORT, rest.split("/")[0]
        case "k8s":
            kind, _, after = rest.rpartition("://")
            default, rest = (80 if kind == "http" else 443), after.split("/")[0]
        case _:
            return []
    places = []
    for part in rest.split(","):
        host, colon, port = part.rpartition(":")
        if not colon:
            host, port = part, str(default)
        if not host or not port.isdigit():
            return []
        places.append((host.strip("[]"), int(port)))
    return places


def _knock(host: str, port: int) -> str | None:
    """Why there is no connection; None if there is one."""
    try:
        socket.create_connection((host, port), timeout=_PATIENCE).close()
    except TimeoutError:
        return f"{host}:{port} did not answer within {_PATIENCE:.0f} s"
    except socket.gaierror:
        return f"there is no host `{host}`"
    except OSError as problem:
        return f"{host}:{port}: {(problem.strerror or str(problem)).lower()}"
    except OverflowError:
        return f"{port} is no port"
    return None
