import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addressOf } from '#client/call.ts'
import { followEvents } from '#client/live/follow-events.ts'
import { operatorTournaments } from '#contract/operator/tournaments.ts'
import { watchTournament } from '#contract/tournaments.ts'

/** While the stream of events is closed. */
const POLL_MS = 1_000

/** Reads the tournament again whenever something has happened in it. */
export function useLiveTournament(id: string): void {
  const client = useQueryClient()
  const [isStreaming, setStreaming] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    const refresh = () => void client.invalidateQueries({ queryKey: [operatorTournaments.get.path] })
    void followEvents(addressOf(watchTournament.path, { id }), {
      signal: leaving.signal,
      token: () => null,
      handlers: {
        onEvent: refresh,
        onStreaming(isOpen) {
          setStreaming(isOpen)
          refresh()
        },
      },
    })
    return () => leaving.abort()
  }, [client, id])
  useEffect(() => {
    if (isStreaming) return
    const poll = () => {
      if (navigator.onLine) {
        // One that is slower than the pause is waited for.
        void client.invalidateQueries({ queryKey: [operatorTournaments.get.path] }, { cancelRefetch: false })
      }
    }
    const timer = setInterval(poll, POLL_MS)
    return () => clearInterval(timer)
  }, [client, isStreaming])
}
