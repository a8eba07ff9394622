"""Calls of services and parameters of other nodes, with reasons where they are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rcl_interfaces.srv import SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter

Refuse = Callable[[str], None]


class ServiceAsker:
    """Calls of a service whose answer has ``success`` and ``message``."""

    def __init__(self, node: Node, kind: Any, service: str, refuse: Refuse) -> None:
        self._client = node.create_client(kind, service)
        self._kind = kind
        self._refuse = refuse

    def call(self, **fields: Any) -> None:
        """Call it; a refusal is told."""
        if not self._client.service_is_ready():
            self._refuse(f'{self._client.srv_name} is not there')
            return
        future = self._client.call_async(self._kind.Request(**fields))
        future.add_done_callback(self._answered)

    def _answered(self, future: Any) -> None:
        answer = future.result()
        if answer is not None and not answer.success:
            self._refuse(answer.message)


class ParameterAsker:
    """
    Parameters of a node, set in the order in which they are given.

    A slider moves faster than a service answers: while a call is under way, later values of the
    same parameters replace earlier ones.
    """

    def __init__(self, node: Node, other: str, refuse: Refuse) -> None:
        service = f'{other}/set_parameters_atomically'
        self._client = node.create_client(SetParametersAtomically, service)
        self._other = other
        self._refuse = refuse
        self._waiting: dict[str, float | bool] = {}
        self._under_way: Any = None

    def set(self, values: Mapping[str, float | bool]) -> None:
        """Set some, all or none of them; a refusal is told."""
        self._waiting |= values
        if self._under_way is not None and not self._client.service_is_ready():
            self._client.remove_pending_request(self._under_way)
            self._under_way = None
        if self._under_way is None:
            self._send()

    def _send(self) -> None:
        if not self._waiting:
            return
        values, self._waiting = self._waiting, {}
        if not self._client.service_is_ready():
            self._refuse(f'{self._other} is not there')
            return
        parameters = [Parameter(n, value=v).to_parameter_msg() for n, v in values.items()]
        request = SetParametersAtomically.Request(parameters=parameters)
        self._under_way = self._client.call_async(request)
        self._under_way.add_done_callback(self._answered)

    def _answered(self, future: Any) -> None:
        if future is not self._under_way:
            return
        self._under_way = None
        answer = future.result()
        if answer is not None and not answer.result.successful:
            self._refuse(answer.result.reason)
        self._send()
