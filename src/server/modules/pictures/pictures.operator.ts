import { operatorPictures } from '#contract/operator/pictures.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import { addPicture, listPictures, removePicture, type PicturesDeps } from './pictures.service.ts'

const operatorOf = ({ identity, request }: Pick<UserCall<never>, 'identity' | 'request'>) => ({
  operatorId: identity.userId,
  requestId: request.id,
})

export function registerOperatorPictures(api: Api, deps: PicturesDeps): void {
  api.serve(operatorPictures.list, async ({ query, reply }) => {
    const page = readList(query, ['id', 'DESC'])
    return listAnswer(reply, 'pictures', { page, ...(await listPictures(deps.db, page.filter, page)) })
  })
  api.serve(operatorPictures.create, (call) =>
    addPicture(deps, { bytes: call.file, alt: call.body.alt }, operatorOf(call)),
  )
  api.serve(operatorPictures.remove, async (call) => {
    await removePicture(deps, call.params.id, operatorOf(call))
    return undefined
  })
}
