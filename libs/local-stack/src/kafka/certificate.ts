import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './jars.js';

export interface Certificate {
  keyStore: string;
  password: string;
  /** Certificate authority that clients must trust. */
  pem: string;
}

const PASSWORD = 'local-stack';
const ALIAS = 'broker';

/** A certificate for 127.0.0.1 that signs itself. */
export async function certificateIn(directory: string): Promise<Certificate> {
  const keyStore = join(directory, 'broker.p12');
  const pemFile = join(directory, 'broker.pem');
  const store = ['-alias', ALIAS, '-keystore', keyStore, '-storepass', PASSWORD];
  if (!existsSync(pemFile)) {
    await run('keytool', [
      ...['-genkeypair', ...store, '-storetype', 'PKCS12', '-keyalg', 'EC', '-validity', '3650'],
      ...['-dname', 'CN=127.0.0.1', '-ext', 'SAN=ip:127.0.0.1,dns:localhost'],
    ]);
    await run('keytool', ['-exportcert', ...store, '-rfc', '-file', pemFile]);
  }
  return { keyStore, password: PASSWORD, pem: readFileSync(pemFile, 'utf8') };
}
