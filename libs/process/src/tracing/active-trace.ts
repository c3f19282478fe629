import {
  context,
  createContextKey,
  trace,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';
import { AsyncContextManager } from './async-context-manager.js';
import { isRecording } from './recorder.js';
import { NO_TRACE } from './trace-context.js';
import { formatTraceparent, newTrace, parseTraceparent } from './traceparent.js';

// No effect if another OpenTelemetry set-up was loaded first, which also follows traces.
context.setGlobalContextManager(new AsyncContextManager());

const activeSpanContext = (): SpanContext | undefined => trace.getSpanContext(context.active());

/** Returns the W3C `traceparent` of the current trace. */
export function currentTraceparent(): string | undefined {
  const active = activeSpanContext();
  return active && formatTraceparent(active);
}

/** Returns the headers that continue the current trace elsewhere. */
export function traceHeaders(): { traceparent?: string; tracestate?: string } {
  const active = activeSpanContext();
  if (active === undefined) return {};
  const tracestate = active.traceState?.serialize() ?? '';
  return { traceparent: formatTraceparent(active), ...(tracestate !== '' && { tracestate }) };
}

/** Returns the trace fields of a log line, as a new object each time: the logger adds to it. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const active = activeSpanContext();
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

/** Continues the trace of a `traceparent`; without a valid one a new trace begins with the first span. */
export function continued(traceparent: string | undefined, tracestate?: string): Context {
  const parent = parseTraceparent(traceparent, tracestate);
  if (parent === undefined && isRecording()) return NO_TRACE;
  return trace.setSpanContext(NO_TRACE, parent ?? newTrace());
}

/**
 * Runs `fn` in the trace that `traceparent` names; an invalid or missing one starts a new trace.
 *
 * @param service owner of the spans of `fn`
 */
export function runInTrace<T>(traceparent: string | undefined, fn: () => T, service?: string): T {
  const place = continued(traceparent);
  return context.with(service === undefined ? place : inService(place, service), fn);
}

/** Runs `fn` in the given trace; if it is the current one, `fn` stays part of the current span. */
export function joinTrace<T>(traceparent: string, fn: () => T, service: string): T {
  const isHere = parseTraceparent(traceparent)?.traceId === activeSpanContext()?.traceId;
  return isHere ? fn() : runInTrace(traceparent, fn, service);
}

const SERVICE = createContextKey('bascule.service');

/** Context key of the service; services of one process have separate spans. */
export const inService = (place: Context, service: string): Context =>
  place.setValue(SERVICE, service);

export function serviceOf(place: Context): string | undefined {
  const service = place.getValue(SERVICE);
  return typeof service === 'string' ? service : undefined;
}
