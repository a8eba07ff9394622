/** Something that tells others what happens to it. */
export class Teller {
  #listeners = new Map();

  /** Call a function whenever something happens. */
  on(event, listener) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, []);
    this.#listeners.get(event).push(listener);
  }

  tell(event, what) { for (const listener of this.#listeners.get(event) ?? []) listener(what); }
}
