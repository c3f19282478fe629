import type { OtlpRecorder } from './otlp-recorder.js';
import { recordWith } from './recorder.js';
import type { TracedService } from './traced-service.js';
import type { TracingConfig } from './tracing-config.js';

/** The services of one process share one exporter; the first one's variables count. */
let recorder: Promise<OtlpRecorder> | undefined;
let services = 0;

/**
 * Records spans of this service when an endpoint is configured; else the SDK is not even loaded.
 * @returns what ends it: exports what is still there, for a short time at most
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
