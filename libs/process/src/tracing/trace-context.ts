import type { Context } from '@opentelemetry/api';

/**
 * Context without closures. V8 allocates the closures of the original contexts in the old generation, where each would
 * keep its request in memory until the next major collection.
 */
class TraceContext implements Context {
  constructor(private readonly values: ReadonlyMap<symbol, unknown> = new Map()) {}

  getValue(key: symbol): unknown {
    return this.values.get(key);
  }

  setValue(key: symbol, value: unknown): TraceContext {
    return new TraceContext(new Map(this.values).set(key, value));
  }

  deleteValue(key: symbol): TraceContext {
    const values = new Map(this.values);
    values.delete(key);
    return new TraceContext(values);
  }
}

/** Context outside of any trace. */
export const NO_TRACE = new TraceContext();
