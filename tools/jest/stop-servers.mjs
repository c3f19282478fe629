import '../source-loader.mjs';

const { removeKafka } = await import('../../libs/local-stack/src/kafka/start-kafka.ts');

export default async function stopServers() {
  await globalThis.testPostgres?.stop();
  await removeKafka(process.env.TEST_KAFKA_DIRECTORY);
}
