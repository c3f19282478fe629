import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A mounted secret as Kubernetes has it: links to a folder, which one rename replaces with all its files. */
export class SecretDirectory {
  private readonly directory = mkdtempSync(join(tmpdir(), 'bascule-secret-'));
  private versions = 0;

  constructor(private values: Readonly<Record<string, string>>) {
    this.replace({});
    for (const name of Object.keys(values)) symlinkSync(join('..data', name), this.path(name));
  }

  /** Variables of a service that reads its values here, and often. */
  get env(): Record<string, string> {
    const files = Object.keys(this.values).flatMap((name) => [
      [name, ''],
      [`${name}_FILE`, this.path(name)],
    ]);
    return { ...(Object.fromEntries(files) as Record<string, string>), SECRET_FILES_POLL_MS: '20' };
  }

  /** Replaces values; the others stay. */
  replace(values: Readonly<Record<string, string>>): void {
    this.values = { ...this.values, ...values };
    const earlier = `..version-${this.versions}`;
    this.versions += 1;
    const version = `..version-${this.versions}`;
    mkdirSync(join(this.directory, version));
    for (const [name, value] of Object.entries(this.values)) {
      writeFileSync(join(this.directory, version, name), `${value}\n`);
    }
    symlinkSync(version, join(this.directory, '..next'));
    renameSync(join(this.directory, '..next'), join(this.directory, '..data'));
    rmSync(join(this.directory, earlier), { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private path(name: string): string {
    return join(this.directory, name);
  }
}
