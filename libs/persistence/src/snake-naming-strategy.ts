import {
  DefaultNamingStrategy,
  type NamingStrategyInterface,
  type Table,
  type View,
} from 'typeorm';

const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/**
 * snake_case columns, and for keys and indexes the names that Postgres itself gives to unnamed ones,
 * so that migrations written by hand and entities agree.
 */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(targetName: string, userSpecifiedName: string | undefined): string {
    return userSpecifiedName ?? snake(targetName);
  }

  override columnName(
    propertyName: string,
    customName: string | undefined,
    embeddedPrefixes: string[],
  ): string {
    return snake([...embeddedPrefixes, customName ?? propertyName].join('_'));
  }

  override relationName(propertyName: string): string {
    return snake(propertyName);
  }

  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return snake(`${relationName}_${referencedColumnName}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${bare(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columnNames: string[]): string {
    return [bare(table), ...columnNames, 'key'].join('_');
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    return [bare(table), ...columnNames, 'fkey'].join('_');
  }

  override indexName(table: Table | View | string, columns: string[]): string {
    return [bare(table), ...columns, 'idx'].join('_');
  }
}

function bare(table: Table | View | string): string {
  const name = typeof table === 'string' ? table : table.name;
  return name.slice(name.lastIndexOf('.') + 1);
}
