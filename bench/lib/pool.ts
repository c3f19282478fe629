import pg from 'pg';

/** Creates a pool that may outlive its server: without a listener, `error` of an idle connection ends the process. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}
