import { EnvError, makeExactValidator } from 'envalid';
import type { Parsed } from '../parse-config.js';
import { bool, integer, milliseconds, sensitive, str, url } from '../validators.js';

const ratio = makeExactValidator<number>((input) => {
  const value = Number(input);
  if (!/^[01](\.\d+)?$/.test(input) || value > 1) throw new EnvError('expected a ratio, 0 to 1');
  return value;
});

/** Variables of OpenTelemetry, with its meanings and defaults. An OTLP exporter reads further ones itself. */
export const tracingEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: sensitive(
    url({
      default: undefined,
      desc: 'endpoint of spans, OTLP over HTTP; absent: no recording',
    }),
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: str({
    default: 'http/protobuf',
    choices: ['http/protobuf', 'http/json'],
    desc: 'encoding of spans',
  }),
  OTEL_SERVICE_NAME: str({ default: undefined, desc: "instead of the service's own name" }),
  OTEL_SDK_DISABLED: bool({ default: false, desc: 'disables recording, whatever else is set' }),
  OTEL_TRACES_SAMPLER: str({
    default: 'parentbased_always_on',
    choices: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    desc: 'sampler of traces',
  }),
  OTEL_TRACES_SAMPLER_ARG: ratio({ default: 1, desc: 'ratio of the traceidratio samplers' }),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds({ min: 1, default: 5_000, desc: 'between two exports' }),
  OTEL_BSP_MAX_QUEUE_SIZE: integer({
    min: 1,
    default: 2_048,
    desc: 'queue size; further spans are dropped',
  }),
};

export type TracingConfig = Parsed<typeof tracingEnv>;
