import type { TopicDefinition } from '@bascule/contracts';
import { EventPattern } from '@nestjs/microservices';

interface ProjectionExtras {
  projectionTables: readonly string[];
}

/**
 * A handler that does nothing but keep projections of a topic, with {@link upsertProjection}: it may be run again over
 * the whole topic. No other handler of the service listens to the topic, and no other topic feeds the tables.
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
