// A bare Fastify that sends bytes it has: the floor under answers from memory.
import fastify from 'fastify';
import { readFileSync } from 'node:fs';

interface Answer {
  path: string;
  file: string;
  encoding?: string;
}

const answers = JSON.parse(process.env['ANSWERS'] ?? '[]') as Answer[];
const app = fastify();
app.get('/health/ready', () => ({ ok: true }));
for (const path of new Set(answers.map((answer) => answer.path))) {
  const byEncoding = new Map(
    answers
      .filter((answer) => answer.path === path)
      .map(({ encoding, file }) => [encoding, readFileSync(file)]),
  );
  app.get(path, ({ headers }, reply) => {
    const encoding = headers['accept-encoding'];
    if (encoding !== undefined) void reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(byEncoding.get(encoding));
  });
}
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.once('SIGTERM', () => process.exit(0));
