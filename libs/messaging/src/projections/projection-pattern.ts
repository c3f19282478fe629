import type { TopicDefinition } from '@bascule/contracts';
import { EventPattern } from '@nestjs/microservices';

interface ProjectionExtras {
  projectionTables: readonly string[];
}

/**
 * Marks a handler that only maintains projections of a topic, with {@link upsertProjection}; it may run again over the
 * whole topic. No other handler of the service may listen to the topic, and no other topic may feed the tables.
 */
export const ProjectionPattern = (
  topic: TopicDefinition,
  { tables }: { tables: readonly string[] },
): MethodDecorator => {
  const extras: ProjectionExtras = { projectionTables: tables };
  return EventPattern<string>(topic.name, { ...extras });
};

/** Tables of a projection's handler; undefined for other handlers. */
export function projectionTablesOf(handler: {
  extras?: Record<string, unknown>;
}): readonly string[] | undefined {
  const tables = handler.extras?.projectionTables;
  return Array.isArray(tables) ? tables.map(String) : undefined;
}
