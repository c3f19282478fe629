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

// Without effect where somebody's own OpenTelemetry set-up was loaded first: theirs follows traces just as well.
context.setGlobalContextManager(new AsyncContextManager());

const activeSpanContext = (): SpanContext | undefined => trace.getSpanContext(context.active());

/** The W3C `traceparent` of what is going on here, for whatever goes on from here. */
export function currentTraceparent(): string | undefined {
  const active = activeSpanContext();
  return active && formatTraceparent(active);
}

/** The headers that continue the current trace elsewhere. */
export function traceHeaders(): { traceparent?: string; tracestate?: string } {
  const active = activeSpanContext();
  if (active === undefined) return {};
  const tracestate = active.traceState?.serialize() ?? '';
  return { traceparent: formatTraceparent(active), ...(tracestate !== '' && { tracestate }) };
}

/** Fields of the current trace for a log line. A new object each time: the logger adds to it. */
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
 * @param service whose spans those of `fn` are
 */
export function runInTrace<T>(traceparent: string | undefined, fn: () => T, service?: string): T {
  const place = continued(traceparent);
  return context.with(service === undefined ? place : inService(place, service), fn);
}

/** The same, but where that trace is the current one already, `fn` stays a part of the current span. */
export function joinTrace<T>(traceparent: string, fn: () => T, service: string): T {
  const isHere = parseTraceparent(traceparent)?.traceId === activeSpanContext()?.traceId;
  return isHere ? fn() : runInTrace(traceparent, fn, service);
}

const SERVICE = createContextKey('bascule.service');

/** Several services may share the process; each has spans of its own. */
export const inService = (place: Context, service: string): Context =>
  place.setValue(SERVICE, service);

export function serviceOf(place: Context): string | undefined {
  const service = place.getValue(SERVICE);
  return typeof service === 'string' ? service : undefined;
}
