import type { Tracer } from '@opentelemetry/api';

/** Records the spans of the services in this process; absent unless spans are exported. */
export interface Recorder {
  tracerOf(service: string): Tracer | undefined;
}

let recorder: Recorder | undefined;

export function recordWith(next: Recorder | undefined): void {
  recorder = next;
}

export const isRecording = (): boolean => recorder !== undefined;

export const tracerOf = (service: string): Tracer | undefined => recorder?.tracerOf(service);
