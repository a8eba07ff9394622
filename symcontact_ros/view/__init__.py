"""A page that shows a running simulation: a node that talks ROS, and a server of WebSockets."""
