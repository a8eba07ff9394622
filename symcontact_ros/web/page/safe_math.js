/** Typeset equations that come from elsewhere, with nothing in them but equations. */

const MATH = 'http://www.w3.org/1998/Math/MathML';
const TAGS = new Set(['math', 'mrow', 'mi', 'mo', 'mn', 'mtext', 'mspace', 'msup', 'msub', 'msubsup', 'mover',
  'munder', 'mfrac', 'msqrt', 'mroot', 'mfenced', 'mtable', 'mtr', 'mtd', 'mstyle']);
const WORDS = new Set(['p', 'code']);
const ATTRIBUTES = ['data-symbol', 'display', 'mathvariant'];

/**
 * Nodes of a text of MathML; other elements and attributes are left out, with all that is in them.
 * @param {string} text - from the network: not trusted
 * @returns {Node[]}
 */
export function safeMath(text) {
  const { body } = new DOMParser().parseFromString(text, 'text/html'); // runs and loads nothing
  return [...body.childNodes].flatMap(copied);
}

function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.data)];
  const name = node.localName;
  if (!TAGS.has(name) && !WORDS.has(name)) return [];
  const own = TAGS.has(name) ? document.createElementNS(MATH, name) : document.createElement(name);
  for (const attribute of ATTRIBUTES) {
    if (node.hasAttribute(attribute)) own.setAttribute(attribute, node.getAttribute(attribute));
  }
  own.append(...[...node.childNodes].flatMap(copied));
  return [own];
}
