import { expect, test } from 'vitest'
import { differencesOf } from '#admin/features/audit/differences.ts'

test.each([
  [{ before: '10', after: '20' }, [{ field: '', before: '10', after: '20' }], []],
  [
    { before: { title: 'Cũ', views: 3 }, after: { title: 'Mới', views: 3 } },
    [{ field: 'title', before: 'Cũ', after: 'Mới' }],
    [],
  ],
  [{ before: null, after: { roles: ['editor'] } }, [{ field: 'roles', before: '', after: '["editor"]' }], []],
  [
    { before: '{"bin":"970436","number":"1"}', after: '{"bin":"970436","number":"2"}', proposal_id: '7' },
    [{ field: 'number', before: '1', after: '2' }],
    [{ field: 'proposal_id', value: '7' }],
  ],
  [{ before: '{no json', after: '' }, [{ field: '', before: '{no json', after: '' }], []],
  [{ role: 'owner' }, [], [{ field: 'role', value: 'owner' }]],
])('of %o the changed parts are found', (details, changed, rest) => {
  expect(differencesOf(details)).toEqual({ changed, rest })
})
