"""The ROS 2 side, and the only place that imports rclpy or messages."""
