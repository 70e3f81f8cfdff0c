import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../network.ts'
import { freshDatabase } from '../postgres.ts'
import { A_SMALL_DISK, AN_HOUR_AHEAD, onDatabase, onPort, preload, type World } from './environment-world.ts'

/** An environment with which nothing starts; doctor reports it before, and both say the sentence. `…` stands for anything. */
export type SickEnvironment = {
  environment(world: World): Promise<Record<string, string>>
  /** The name of doctor's finding. */
  name: string
  sentence: string
}

export const SICK_ENVIRONMENTS: Record<string, SickEnvironment> = {
  'a role that may not make roles': {
    async environment(world) {
      const { role, database } = await world.aRole('')
      return onDatabase(role, database)
    },
    name: 'rights',
    sentence:
      'the role of DATABASE_URL may not make the roles the portal needs: let a superuser run ALTER ROLE "…" CREATEROLE, then start again',
  },
  'a role that may not make tables': {
    async environment(world) {
      const [{ role }, { database }] = await Promise.all([world.aRole('CREATEROLE'), world.aRole('')])
      return onDatabase(role, database)
    },
    name: 'rights',
    sentence:
      'the role "…" may not make tables in the database "…": let a superuser run ALTER DATABASE "…" OWNER TO "…", then start again',
  },
  'a role that did not make the tables': {
    async environment(world) {
      const { role } = await world.aRole('CREATEROLE')
      const { ownerUrl, drop } = await freshDatabase()
      world.cleanUps.push(drop)
      return onDatabase(role, new URL(ownerUrl).pathname.slice(1))
    },
    name: 'rights',
    sentence:
      'the tables of the database "…" belong to the role "…", not to "…": give DATABASE_URL the role "…"',
  },
  'a wrong password': {
    async environment(world) {
      const { role, database } = await world.aRole('CREATEROLE')
      return onDatabase(role, database, 'wrong')
    },
    name: 'database',
    sentence: 'PostgreSQL at … does not accept the password of the role "…": correct it in DATABASE_URL',
  },
  'a database that does not exist': {
    async environment(world) {
      const { role } = await world.aRole('CREATEROLE')
      return onDatabase(role, 'nowhere')
    },
    name: 'database',
    sentence: 'PostgreSQL at … has no database "nowhere": run CREATE DATABASE "nowhere" OWNER "…" there',
  },
  'a clock that is an hour ahead': {
    async environment(world) {
      const { role, database } = await world.aRole('CREATEROLE')
      return { ...onDatabase(role, database), ...preload(AN_HOUR_AHEAD) }
    },
    name: 'clock',
    sentence:
      'the clock of this machine is … s ahead of that of PostgreSQL: set the wrong one right (timedatectl set-ntp true), then start again',
  },
  'a folder that cannot be written': {
    environment: async (world) => ({ DATA_DIR: await world.aFolderThatCannotBeWritten() }),
    name: 'data',
    sentence:
      'DATA_DIR: … cannot be read and written (…): start the portal as the user who made it, give it to this user, or choose another DATA_DIR',
  },
  'a folder that is a file, where the database is elsewhere and mails become files': {
    async environment(world) {
      const { role, database } = await world.aRole('CREATEROLE')
      const DATA_DIR = join(world.folder, 'not-a-folder')
      await writeFile(DATA_DIR, '')
      return { ...onDatabase(role, database), DATA_DIR }
    },
    name: 'data',
    sentence: 'DATA_DIR: … cannot be read and written (…): start the portal as the user who made it',
  },
  'TLS with a database that has none': {
    async environment(world) {
      const { role, database } = await world.aRole('CREATEROLE')
      const on = onDatabase(role, database)
      return { ...on, DATABASE_URL: `${on.DATABASE_URL}?sslmode=verify-full` }
    },
    name: 'database',
    sentence:
      'PostgreSQL at … does not speak TLS: turn its setting ssl on, or leave sslmode out of DATABASE_URL',
  },
  'a full disk': {
    async environment(world) {
      const disk = world.mounted('size=20m')
      if (disk !== null) return { DATA_DIR: join(disk, 'data') }
      return { DATA_DIR: join(world.folder, 'full'), ...preload(A_SMALL_DISK) }
    },
    name: 'disk',
    sentence:
      'the disk of DATA_DIR (…) has … MB left: make room for 128 MB at least, or choose another DATA_DIR, then start again',
  },
  'a port that another program uses': {
    async environment(world) {
      const PORT = String(await world.anotherProgram())
      return { DATA_DIR: join(world.folder, 'port-taken'), PORT }
    },
    name: 'port',
    sentence: 'another program uses 127.0.0.1:…: end it, or choose another port with PORT=…',
  },
  'a port of the metrics that another program uses': {
    environment: async (world) => ({ METRICS_PORT: String(await world.anotherProgram()) }),
    name: 'metrics',
    sentence: 'METRICS_PORT … is used by another program: end it or choose another port; several',
  },
  'metrics for strangers': {
    environment: async () => ({ METRICS_PORT: '9464', METRICS_HOST: '203.0.113.5' }),
    name: 'metrics',
    sentence: 'METRICS_HOST … serves metrics … at 203.0.113.5, which strangers reach: set it to',
  },
  'no secret of the game': {
    environment: async () => ({ DEMO: '1', GAME_SERVER_URL: 'http://127.0.0.1:4000' }),
    name: 'environment',
    sentence: 'GAME_SERVER_URL and GAME_SERVER_SECRET: give both or neither',
  },
  'a port that is no number': {
    environment: async () => ({ PORT: 'abc' }),
    name: 'environment',
    sentence: 'PORT: a whole number from 1 to 65535; correct it, or leave it out for 3000',
  },
  'a port that there is not': {
    environment: async () => ({ PORT: '70000' }),
    name: 'environment',
    sentence: 'PORT: a whole number from 1 to 65535; correct it, or leave it out for 3000',
  },
  'a demo that strangers reach': {
    environment: async () => ({ DEMO: '1', HOST: '0.0.0.0' }),
    name: 'environment',
    sentence: 'DEMO: a demo listens on loopback only (HOST, PUBLIC_URL), unless DEMO_PUBLIC=1',
  },
  'a mail server without a sender': {
    environment: async () => ({ SMTP_URL: 'smtp://mail.ninja.test' }),
    name: 'environment',
    sentence: 'MAIL_FROM: a mail server takes nothing without a sender it knows',
  },
  'another database as the direct one': {
    environment: async () => ({
      ...onDatabase('portal', 'portal'),
      DATABASE_DIRECT_URL: 'postgres://portal:other@127.0.0.1:1/portal',
    }),
    name: 'environment',
    sentence: 'DATABASE_DIRECT_URL: give DATABASE_URL too, with the same user, password and database',
  },
  'a secret that is too short': {
    environment: async () => ({ GAME_SERVER_URL: 'http://127.0.0.1:4000', GAME_SERVER_SECRET: 'ngan-qua' }),
    name: 'environment',
    sentence: 'GAME_SERVER_SECRET: each secret needs at least 16 characters; correct it',
  },
  'a PostgreSQL that is not there': {
    environment: async () => ({
      ...onDatabase('portal', 'portal'),
      DATABASE_URL: `postgres://portal:secret@127.0.0.1:${await freePort()}/portal`,
    }),
    name: 'database',
    sentence: 'PostgreSQL at 127.0.0.1:… does not answer: start it, or correct host and port in DATABASE_URL',
  },
  'no password of the embedded database': {
    async environment(world) {
      const DATA_DIR = join(world.folder, 'no-password')
      await mkdir(join(DATA_DIR, 'postgres'), { recursive: true })
      await writeFile(join(DATA_DIR, 'postgres', 'PG_VERSION'), '18\n')
      return { DATA_DIR }
    },
    name: 'database',
    sentence:
      'there is a database in … but its password file … is missing: restore the file from a backup, or move the folder postgres away to begin anew',
  },
  'secrets of a demo that are damaged': {
    async environment(world) {
      const DATA_DIR = join(world.folder, 'damaged')
      await mkdir(DATA_DIR)
      await writeFile(join(DATA_DIR, 'secrets.json'), '{"SEPAY')
      return { DATA_DIR }
    },
    name: 'environment',
    sentence:
      '…secrets.json is damaged: restore it from a backup, or remove it and the demo makes up new secrets',
  },
  'a PostgreSQL that is too old': {
    environment: async (world) => onPort(await world.aServerThat({ hasVersion: '13.11' })),
    name: 'database',
    sentence: 'this is PostgreSQL 13.11: use PostgreSQL 15 or newer',
  },
  'a PostgreSQL that lets nobody in without TLS': {
    environment: async (world) =>
      onPort(
        await world.aServerThat({
          code: '28000',
          refuses:
            'no pg_hba.conf entry for host "10.0.0.7", user "portal", database "portal", no encryption',
        }),
      ),
    name: 'database',
    sentence:
      'PostgreSQL at … does not let the role "portal" in without TLS: write sslmode=verify-full into DATABASE_URL, or allow it in pg_hba.conf',
  },
  'a PostgreSQL that does not let this machine in': {
    environment: async (world) =>
      onPort(
        await world.aServerThat({
          code: '28000',
          refuses:
            'no pg_hba.conf entry for host "10.0.0.7", user "portal", database "portal", SSL encryption',
        }),
      ),
    name: 'database',
    sentence:
      'PostgreSQL at … does not let the role "portal" in: create the role with LOGIN, or allow it in pg_hba.conf',
  },
  'a PostgreSQL that is still starting': {
    environment: async (world) =>
      onPort(await world.aServerThat({ code: '57P03', refuses: 'the database system is starting up' })),
    name: 'database',
    sentence: 'PostgreSQL at … is starting or stopping: start the portal again when it accepts connections',
  },
  'a PostgreSQL whose connections are all used': {
    environment: async (world) =>
      onPort(await world.aServerThat({ code: '53300', refuses: 'sorry, too many clients already' })),
    name: 'database',
    sentence:
      'PostgreSQL at … has no free connection: raise its max_connections or end programs that hold them',
  },
}
