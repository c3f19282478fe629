import { removeKafka, startKafka } from '@bascule/local-stack';
import { aFact, aTopic, useKafka } from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { eventually, ownKafkaDirectory } from '@bascule/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { KafkaTransport } from '../transport/kafka/kafka-transport.js';

const RIGHT = { username: 'shop', password: 'right' };
const WRONG = { username: 'shop', password: 'changed too early' };
/** Backoff (5 s at most) plus the session timeout (10 s) of the client that could not leave. */
const AGAIN = { timeoutMs: 60_000 };

describe('failure 1: the consumer crashes, the process stays up and consumes nothing', () => {
  const directory = ownKafkaDirectory('sasl');
  const { start, create, publish } = useKafka(
    {},
    async () => (await startKafka({ directory, sasl: RIGHT })).brokers,
  );
  afterAll(() => removeKafka(directory));

  // Protection: KafkaSubscription.run in transport/kafka/, which starts a new membership after each crash of the client.
  it('recovers in place after a fatal client error: brokers that reject its password for a while', async () => {
    const topic = aTopic(1);
    await create(topic);
    const { saslBrokers: brokers } = await startKafka({ directory, sasl: RIGHT });
    const transport = new KafkaTransport({
      kafka: { brokers, sasl: { mechanism: 'plain', ...RIGHT } },
      clientId: 'contract',
      logger: createLogger({ service: 'contract', level: 'silent' }),
    });
    const handled: string[] = [];
    const { context } = await start({
      transport,
      handlers: {
        [topic.name]: async ({ subject }) => {
          handled.push(subject);
        },
      },
    });
    await publish(topic, aFact(topic, 'before', 1));
    await eventually(() => {
      expect(handled).toEqual(['before']);
    });

    await startKafka({ directory, sasl: WRONG });
    const metric = 'messaging_broker_reachable';
    await eventually(async () => {
      const value = await context.metrics.getSingleMetric(metric)?.get();
      expect(value?.values[0]?.value).toBe(0);
    });
    expect((await context.health.evaluateLive()).ok).toBe(true);

    await startKafka({ directory, sasl: RIGHT });
    await publish(topic, aFact(topic, 'after', 1));
    // The commit of the first may have been lost with the broker.
    await eventually(() => {
      expect([...new Set(handled)]).toEqual(['before', 'after']);
    }, AGAIN);
    await transport.close();
  });
});
