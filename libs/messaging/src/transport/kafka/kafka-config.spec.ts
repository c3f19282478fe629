import { ConfigurationError } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { parseKafkaConfig } from './kafka-config.js';

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    parseKafkaConfig(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

describe('the configuration of Kafka', () => {
  it('is absent without brokers', () => {
    expect(parseKafkaConfig({})).toBeUndefined();
    expect(parseKafkaConfig({ KAFKA_BROKERS: '' })).toBeUndefined();
  });

  it('accepts several brokers, without encryption and credentials', () => {
    expect(parseKafkaConfig({ KAFKA_BROKERS: 'a:9092, b.internal:9093' })).toEqual({
      brokers: ['a:9092', 'b.internal:9093'],
    });
  });

  it('accepts credentials over TLS', () => {
    const env = {
      KAFKA_BROKERS: 'a:9092',
      KAFKA_TLS: 'true',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'payment',
      KAFKA_SASL_PASSWORD: 'secret',
    };
    expect(parseKafkaConfig(env)).toEqual({
      brokers: ['a:9092'],
      tls: {},
      sasl: { mechanism: 'scram-sha-512', username: 'payment', password: 'secret' },
    });
  });

  it('lists every inconsistent variable', () => {
    expect(problemsOf({ KAFKA_BROKERS: 'kafka://a:9092' })).toEqual([
      'KAFKA_BROKERS: expected a comma-separated list of host:port',
    ]);
    expect(problemsOf({ KAFKA_BROKERS: 'a:1', KAFKA_SASL_MECHANISM: 'plain' })).toEqual([
      'KAFKA_SASL_USERNAME: is missing (required by KAFKA_SASL_MECHANISM)',
      'KAFKA_SASL_PASSWORD: is missing (required by KAFKA_SASL_MECHANISM)',
    ]);
    expect(problemsOf({ KAFKA_BROKERS: 'a:1', KAFKA_SASL_PASSWORD: 'secret' })).toEqual([
      'KAFKA_SASL_PASSWORD: requires KAFKA_SASL_MECHANISM',
    ]);
  });
});
