import { OperatorError, withDatabase } from '@bascule/operator-commands';
import {
  closeConnection,
  connectDirectly,
  describeDatabaseError,
  schemaState,
} from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import type { Check, Outcome } from '../finding.js';
import { missing, ok, wrong } from '../finding.js';
import type { Service, ServiceFacts } from '../deployment.js';
import { validServices } from '../deployment.js';

/** The database of each service answers its role, with the settings of sessions and all migrations of this version. */
export const databases: Check = {
  name: 'databases',
  probes: (deployment) =>
    validServices(deployment).flatMap((service) =>
      service.facts.database === undefined
        ? []
        : [{ subject: service.name, read: () => outcomesOf(service) }],
    ),
};

async function outcomesOf({
  name,
  env,
  facts: { schema = '', migrations = [], database },
}: Service & { facts: ServiceFacts }): Promise<readonly Outcome[]> {
  try {
    const { problem, unknown: newer } = await withDatabase(
      { schema, migrations, env },
      schemaState,
    );
    if (problem !== null) {
      return [missing(problem, `run node apps/${name}/dist/migrate.js`)];
    }
    const applied = `${migrations.length} migrations`;
    const direct = database && (await directProblem(database));
    if (direct) return [wrong(direct, 'correct DATABASE_DIRECT_URL')];
    return [
      ok(newer.length === 0 ? applied : `${applied}, and ${newer.length} of a newer version`),
    ];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [wrong(error.message, 'check DATABASE_URL, the role and the server')];
  }
}

async function directProblem(database: DatabaseConfig): Promise<string | undefined> {
  try {
    await closeConnection(await connectDirectly(database, `bascule/preflight ${database.schema}`));
    return undefined;
  } catch (error) {
    return describeDatabaseError(error, { url: database.directUrl });
  }
}
