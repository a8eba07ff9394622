/**
 * Links: symbols and state as the part of an address behind '#', and back.
 *
 * What comes back is not trusted: it is bounded, every number is checked, and what is wrong is left.
 */

const LONGEST = 200000; // characters
const SYMBOL = /^[A-Za-z_][\w.]{0,199}$/;

/** Bytes as text for an address. */
export function toText(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Bytes of a text; null if it is none. */
export function fromText(text) {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  } catch { return null; }
}

/**
 * Write a fragment.
 * @param {object} what - `{model, variant, steps, changed: {name: value}, state: Uint8Array}`
 */
export function fragmentOf({ model, variant, steps, changed, state }) {
  const parts = new URLSearchParams({ model, n: String(steps) });
  if (variant) parts.set('v', variant);
  const values = Object.entries(changed).map(([name, value]) => `${name}:${value}`);
  if (values.length) parts.set('p', values.join(','));
  if (state) parts.set('x', toText(state));
  return `#${parts}`;
}

/**
 * Read a fragment.
 * @returns {object | null} what `fragmentOf` got; null where it is nothing of this model
 */
export function readFragment(hash, model) {
  if (hash.length < 2 || hash.length > LONGEST) return null;
  let parts;
  try { parts = new URLSearchParams(hash.slice(1)); } catch { return null; }
  if (parts.get('model') !== model) return null;
  const steps = /^\d+$/.test(parts.get('n') ?? '') ? Number(parts.get('n')) : NaN;
  if (!Number.isSafeInteger(steps)) return null;
  const changed = Object.create(null);
  for (const pair of (parts.get('p') ?? '').split(',').filter(Boolean).slice(0, 1000)) {
    const at = pair.lastIndexOf(':');
    const name = pair.slice(0, at);
    const text = pair.slice(at + 1);
    const value = Number(text);
    if (SYMBOL.test(name) && text !== '' && Number.isFinite(value)) changed[name] = value;
  }
  const state = parts.has('x') ? fromText(parts.get('x')) : null;
  if (parts.has('x') && !state) return null;
  return { model, variant: parts.get('v') ?? '', steps, changed, state };
}
