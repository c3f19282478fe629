import type { EntityManager, EntityTarget, FindOptionsWhere } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

/**
 * Locks the only row of a table, so that events about it keep their order in the outbox; the first change starts from the
 * initial one.
 */
export async function lockSingleRow<Row extends { id: string }>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  initial: Row,
): Promise<Row> {
  await manager
    .createQueryBuilder()
    .insert()
    .into(entity)
    .values(initial as QueryDeepPartialEntity<Row>)
    .orIgnore()
    .execute();
  return manager.findOneOrFail(entity, {
    where: { id: initial.id } as FindOptionsWhere<Row>,
    lock: { mode: 'pessimistic_write' },
  });
}
