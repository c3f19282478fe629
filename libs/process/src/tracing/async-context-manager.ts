import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, ContextManager } from '@opentelemetry/api';
import { NO_TRACE } from './trace-context.js';

/** Context manager that lets `@opentelemetry/api` follow a trace through asynchronous code without the SDK. */
export class AsyncContextManager implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.storage.getStore() ?? NO_TRACE;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.storage.run(context, () => fn.call(thisArg, ...args));
  }

  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target;
    const run = <R>(call: () => R): R => this.storage.run(context, call);
    return new Proxy(target, {
      apply: (fn, thisArg, args: unknown[]): unknown =>
        run(() => Reflect.apply(fn, thisArg, args) as unknown),
    });
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.storage.disable();
    return this;
  }
}
