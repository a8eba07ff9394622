"""The step loop: state -> poses -> gaps -> contact wrenches -> next state."""
