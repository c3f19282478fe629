// A bare Fastify proxy: the floor under the gateway.
import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';

const app = fastify();
await app.register(replyFrom, { base: process.env['UPSTREAM_URL'] ?? '' });
app.get('/health/ready', () => ({ ok: true }));
for (const path of ['/payments', '/assets', '/assets/available-outputs']) {
  app.get(path, (request, reply) => reply.from(request.url));
}
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.once('SIGTERM', () => process.exit(0));
