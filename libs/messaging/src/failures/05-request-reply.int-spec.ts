import {
  aFact,
  aGroup,
  anEventServer,
  asRecord,
  aTopic,
  Collector,
  useKafka,
} from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, type MicroserviceOptions } from '@nestjs/microservices';

@Controller()
class StatusController {
  @MessagePattern('payment.status')
  status() {
    return { status: 'PENDING' };
  }
}

@Module({ controllers: [StatusController] })
class StatusModule {}

describe('failure 5: request-reply partitions starve', () => {
  const { transport, connect, dataSource, start, create } = useKafka();

  // Protection: EventServer.addHandler in consuming/.
  it('refuses to start a service that answers requests over Kafka', async () => {
    const { server } = anEventServer({
      transport: connect(),
      dataSource: dataSource(),
      group: aGroup(),
    });
    const starting = async () => {
      const app = await NestFactory.createMicroservice<MicroserviceOptions>(StatusModule, {
        strategy: server,
        abortOnError: false,
        logger: false,
      });
      await app.listen();
      await app.close();
    };
    await expect(starting()).rejects.toThrow(
      'payment.status: request-reply over Kafka is not supported',
    );
  });

  // Protection: EventHandlers.dispatch in consuming/, which awaits the result of a handler and sends no reply.
  it('sends no reply to a record that asks for one, as Nest’s own client does', async () => {
    const [topic, replies] = [aTopic(1), aTopic(1)] as const;
    await create(topic, replies);
    const handled: string[] = [];
    await start({
      handlers: {
        [topic.name]: async ({ subject }) => {
          handled.push(subject);
        },
      },
    });
    const headers = {
      kafka_correlationId: 'b1f5',
      kafka_replyTopic: replies.name,
      kafka_replyPartition: '0',
    };
    for (const key of ['asks', 'next']) {
      await transport().publish([{ ...asRecord(topic, aFact(topic, key, 1)), headers }]);
    }
    await eventually(() => {
      expect(handled).toEqual(['asks', 'next']);
    });
    const answers = new Collector();
    await transport().read({ topics: [replies.name], receiver: answers });
    expect(answers.records).toEqual([]);
  });
});
