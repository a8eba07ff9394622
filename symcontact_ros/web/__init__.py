"""Models in a browser: WebAssembly modules, their memory, and the page that shows them."""
