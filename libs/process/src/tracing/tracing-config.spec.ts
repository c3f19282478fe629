import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../configuration-error.js';
import { parseConfig } from '../parse-config.js';
import { tracingEnv } from './tracing-config.js';

describe('the variables of OpenTelemetry', () => {
  it('may all be absent', () => {
    expect({ ...parseConfig({}, tracingEnv) }).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
    });
  });

  it.each(['0', '0.25', '1', '1.0'])('take the ratio %s', (OTEL_TRACES_SAMPLER_ARG) => {
    const parsed = parseConfig({ OTEL_TRACES_SAMPLER_ARG }, tracingEnv);
    expect(parsed.OTEL_TRACES_SAMPLER_ARG).toBe(Number(OTEL_TRACES_SAMPLER_ARG));
  });

  it.each([
    { OTEL_TRACES_SAMPLER_ARG: '1.5' },
    { OTEL_TRACES_SAMPLER_ARG: '25%' },
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' },
  ])('are refused as %j', (env) => {
    expect(() => parseConfig(env, tracingEnv)).toThrow(ConfigurationError);
  });

  it('do not print the endpoint, which may contain a key', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/KEY' };
    expect(inspect(parseConfig(env, tracingEnv))).not.toContain('KEY');
  });
});
