import type { OtlpRecorder } from './otlp-recorder.js';
import { recordWith } from './recorder.js';
import type { TracedService } from './traced-service.js';
import type { TracingConfig } from './tracing-config.js';

/** One exporter for all services of the process; the variables of the first one apply. */
let recorder: Promise<OtlpRecorder> | undefined;
let services = 0;

/**
 * Records spans of this service when an endpoint is configured; otherwise the SDK is not loaded.
 *
 * @returns a function that exports the remaining spans, for a short time at most
 */
export async function startTracing(
  config: TracingConfig,
  service: TracedService,
): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || config.OTEL_SDK_DISABLED) return async () => undefined;
  recorder ??= import('./otlp-recorder.js').then(({ OtlpRecorder: Recorder }) =>
    Recorder.create(endpoint, config, service.logger),
  );
  services += 1;
  const current = await recorder;
  current.add(service.name, config.OTEL_SERVICE_NAME ?? service.name, service);
  recordWith(current);
  return () => leave(current);
}

async function leave(current: OtlpRecorder): Promise<void> {
  services -= 1;
  if (services > 0) {
    await current.flush();
    return;
  }
  recordWith(undefined);
  recorder = undefined;
  await current.stop();
}
