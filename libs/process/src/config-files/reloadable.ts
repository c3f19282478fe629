import { inspect } from 'node:util';

/** Holds a value that may be replaced while the service runs: read `current` at each use. Prints as `***`. */
export class Reloadable<T> {
  #value: T;
  readonly #listeners: ((value: T) => void)[] = [];

  constructor(value: T) {
    this.#value = value;
  }

  /** Wraps a value that never changes; returns a reloadable one unchanged. */
  static of<T>(value: T | Reloadable<T>): Reloadable<T> {
    return value instanceof Reloadable ? value : new Reloadable(value);
  }

  get current(): T {
    return this.#value;
  }

  /** Calls the listener with each later value. It must not throw. */
  onChange(listener: (value: T) => void): void {
    this.#listeners.push(listener);
  }

  /** Derives a value, and derives it again after each change. */
  map<U>(derive: (value: T) => U): Reloadable<U> {
    const derived = new Reloadable(derive(this.#value));
    this.onChange((value) => {
      derived.replace(derive(value));
    });
    return derived;
  }

  replace(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener(value);
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}
