// A bare Fastify that reads the payment's row by its key: the floor under the payment service.
import fastify from 'fastify';
import { openPool } from '../lib/pool.js';

const pool = openPool({ connectionString: process.env['DATABASE_URL'], max: 8 });
const app = fastify();
app.get('/health/ready', () => ({ ok: true }));
app.get<{ Querystring: { payment_id: string } }>('/payments', async ({ query }, reply) => {
  const { rows } = await pool.query<{ payment: unknown }>(
    'SELECT to_json(p) AS payment FROM payments p WHERE id = $1',
    [query.payment_id],
  );
  return reply.send(rows[0]?.payment);
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.once('SIGTERM', () => process.exit(0));
