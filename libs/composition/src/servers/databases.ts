import { provisionSchema } from '@bascule/persistence';
import type { ServiceName } from '../settings/settings.config.js';

const schemaOf = (service: ServiceName) => service.replaceAll('-', '_');

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
      role: `bascule_${schema}`,
      password,
      grantUsageOn: shared,
    });
  }
}

export function databaseUrl(adminUrl: string, service: ServiceName, password: string): string {
  const url = new URL(adminUrl);
  url.username = `bascule_${schemaOf(service)}`;
  url.password = password;
  return url.href;
}
