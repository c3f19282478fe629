import { provisionSchema } from '@bascule/persistence';
import type { ServiceName } from '../settings/settings.config.js';

const schemaOf = (service: ServiceName) => service.replaceAll('-', '_');
export const roleOf = (service: ServiceName) => `bascule_${schemaOf(service)}`;

/**
 * Each service's schema with a role that sees no other.
 * @param shared schemas that all of them may use as well
 */
export async function provisionDatabases(
  adminUrl: string,
  services: readonly ServiceName[],
  password: string,
  shared: string[] = [],
): Promise<void> {
  for (const service of services) {
    const schema = schemaOf(service);
    await provisionSchema(adminUrl, {
      schema,
      role: roleOf(service),
      password,
      grantUsageOn: shared,
    });
  }
}

/** Variables of a service's database, behind the pooler where there is one. */
export function databaseVariables(
  { adminUrl, poolerPort }: { adminUrl: string; poolerPort: number | undefined },
  service: ServiceName,
  password: string,
): Record<string, string> {
  const url = new URL(adminUrl);
  url.username = roleOf(service);
  url.password = password;
  if (poolerPort === undefined) return { DATABASE_URL: url.href };
  const direct = url.href;
  url.port = String(poolerPort);
  return { DATABASE_URL: url.href, DATABASE_DIRECT_URL: direct };
}
