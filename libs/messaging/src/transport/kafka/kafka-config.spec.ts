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

  it('takes several brokers, without encryption and credentials', () => {
    expect(parseKafkaConfig({ KAFKA_BROKERS: 'a:9092, b.internal:9093' })).toEqual({
      brokers: ['a:9092', 'b.internal:9093'],
    });
  });

  it('takes credentials over TLS', () => {
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

  it('names every variable that does not fit the others', () => {
    expect(problemsOf({ KAFKA_BROKERS: 'kafka://a:9092' })).toEqual([
      'KAFKA_BROKERS: expected host:port, several of them by commas',
    ]);
    expect(problemsOf({ KAFKA_BROKERS: 'a:1', KAFKA_SASL_MECHANISM: 'plain' })).toEqual([
      'KAFKA_SASL_USERNAME: is missing (KAFKA_SASL_MECHANISM asks for it)',
      'KAFKA_SASL_PASSWORD: is missing (KAFKA_SASL_MECHANISM asks for it)',
    ]);
    expect(problemsOf({ KAFKA_BROKERS: 'a:1', KAFKA_SASL_PASSWORD: 'secret' })).toEqual([
      'KAFKA_SASL_PASSWORD: is of no use without KAFKA_SASL_MECHANISM',
    ]);
  });
});
