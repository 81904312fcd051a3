// The words of the page in English.

export const EN = {
  "title": "Memory", "nav": "Views", "nav.knows": "What the agent knows", "nav.happened": "What happened", "nav.care": "Care",
  "skip": "Skip to the content", "theme": "Light or dark", "sign_out": "Sign out", "failed": "Something went wrong", "unreachable": "The server cannot be reached.",
  "all": "All", "more": "Show more", "close": "Close", "cancel": "Cancel", "save": "Save", "saved": "Saved", "undo": "Undo",
  "add": "Add", "add.to": "Add to {0}", "edit": "Edit", "edit.of": "Edit {0}", "remove": "Remove", "remove.of": "Remove {0}", "removing": "Removing “{0}”",
  "details": "Details", "unset": "not set", "unreadable": "Cannot read “{0}”", "and_more": "and {0} more",
  "time": "Time", "query": "Question", "use": "Use", "thread": "Thread", "thread.of": "Thread {0}", "agent": "Agent", "since": "since {0}", "rounds": "rounds: {0}",

  "sign_in": "Sign in", "sign_in.token": "Access token", "sign_in.hint": "Kept for this tab only and gone when you close it.", "sign_in.refused": "The server does not know this token.",

  "records.title": "Records", "records.search": "Search memory", "records.none": "Nothing here yet.", "records.none_found": "Nothing fits.",
  "kind": "Kind", "state": "State", "sort": "Sort by", "content": "Text", "tags": "Tags", "tags.hint": "Separated by commas",
  "kind.told": "no dialogue", "kind.fact": "fact", "kind.preference": "preference", "kind.project": "project", "kind.feedback": "feedback", "kind.reference": "reference", "kind.dialogue": "dialogue",
  "state.active": "active", "state.archived": "archived", "state.superseded": "superseded", "state.quarantined": "quarantined",
  "sort.updated": "change", "sort.created": "creation", "sort.weight": "weight", "sort.used": "last use",
  "weight": "Weight", "weight.of": "Weight {0}", "confidence": "Confidence", "importance": "Importance", "trust": "Vouched for by", "source": "Source", "address": "Address",
  "trust.user": "the user", "trust.assistant": "the assistant", "trust.tool": "a tool", "trust.document": "a document",
  "valid_from": "True from", "valid_to": "True until", "event_time": "Happened", "created": "Created", "changed": "Changed", "used": "Used", "used.times": "{0} ×, last {1}", "used.never": "never",
  "used.referenced": "used in the answer", "used.injected": "told only",
  "why": "Why recalled · score {0}", "why.more": "Likeness {0}, share of the question’s words {1}",
  "signal.meaning": "Meaning", "signal.words": "Words", "signal.beside": "The turn beside it", "signal.beyond": "The turn two away", "signal.links": "Linked records", "signal.speaker": "Who spoke", "signal.time": "The time asked for", "signal.pinned": "Pinned", "signal.saying": "Says much", "signal.asking": "Asks rather than says", "signal.thread": "Same thread", "signal.trusted": "Trust", "signal.importance": "Importance", "signal.recency": "Recency", "signal.weight": "Weight",
  "add.title": "Remember something", "add.hint": "One sentence that makes sense by itself.", "add.done": "Remembered",

  "record.title": "Record", "record.gone": "This record is no longer there.", "record.about": "About it", "record.said": "Where it was said", "record.said_none": "It was not drawn from a conversation.",
  "record.history": "History", "record.history_none": "It has no earlier versions.", "record.links": "Links", "record.links_none": "It is not linked.", "record.usage": "Use", "record.usage_none": "It was not recalled yet.",
  "archive": "Archive", "archived": "Archived", "restore": "Restore", "restored": "Restored", "pin": "Pin", "pinned": "Pinned", "unpin": "Unpin", "unpinned": "No longer pinned",
  "forget": "Forget", "forgetting": "Forgetting “{0}”", "forgotten.receipt": "Forgotten · receipt {0}", "linked_from": "links here",
  "relation.supersedes": "supersedes", "relation.contradicts": "contradicts", "relation.derived_from": "derived from", "relation.supports": "supports", "relation.related_to": "related to",
  "conflict.title": "This was changed elsewhere meanwhile.", "conflict.theirs": "Now there", "conflict.mine": "Yours", "conflict.keep": "Keep what is there", "conflict.put": "Put mine",

  "profile.title": "Profile", "profile.hint": "Select a value to change it. Lists have one line for each entry.", "profile.user": "The person", "profile.work": "The work",
  "profile.off": "This profile is switched off: agents do not see it.", "profile.turn_off": "Switch off", "profile.turn_on": "Switch on", "profile.now_off": "Switched off", "profile.now_on": "Switched on",
  "profile.history": "Earlier versions", "profile.version": "Version {0}, by {1}", "profile.bring": "Bring back", "profile.brought": "Version {0} is back", "by.user": "you",
  "lines.hint": "One on each line", "windows.hint": "Such as: monday, tuesday 09:00–11:30",
  "field.name": "Name", "field.notes": "Notes", "field.occupation": "Occupation", "field.timezone": "Time zone", "field.primary_language": "Language", "field.interests": "Interests", "field.avoid_topics": "Topics to avoid", "field.custom_rules": "Rules",
  "field.people": "People", "field.relationship": "Relationship", "field.role": "Role", "field.preferred_contact_channel": "Contact by",
  "field.places": "Places", "field.category": "Category", "field.address": "Address", "field.commute_minutes": "Commute (minutes)", "field.preference": "Preference",
  "preference.like": "likes it", "preference.neutral": "neutral", "preference.avoid": "avoids it",
  "field.recurring_routines": "Routines", "field.description": "Description", "field.cadence": "How often", "field.time_windows": "Times", "field.importance": "Importance",
  "field.preferences": "Preferences", "field.communication_style": "Style", "field.language_preference": "Languages", "field.location_preference": "Location", "field.work_lifestyle": "Way of working", "field.notification_preference": "Notifications",
  "field.scheduling_preferences": "Scheduling", "field.productive_windows": "Productive times", "field.preferred_meeting_windows": "Times for meetings", "field.no_meeting_windows": "No meetings", "field.deep_work_windows": "Deep work",
  "field.preferred_meeting_duration_minutes": "Meeting length (minutes)", "field.meeting_buffer_minutes": "Between meetings (minutes)", "field.max_meetings_per_day": "Most meetings a day",
  "field.expertise": "Expertise", "field.preferred_tools": "Tools", "field.team_context": "Team", "field.work_rules": "Rules", "field.current_projects": "Projects", "field.status": "Status", "field.priority": "Priority", "field.deadline": "Deadline", "field.collaborators": "Collaborators",
  "status.planned": "planned", "status.active": "active", "status.paused": "paused", "status.completed": "completed",
  "field.team_members": "Team members", "field.work_habits": "Habits", "field.available_hours": "Available", "field.deep_work_blocks": "Deep work", "field.notification_channel": "Notify by",

  "notes.title": "Notes", "notes.off": "This server keeps no notes.", "notes.none": "There are no notes.", "notes.new": "New note", "notes.stale": "old", "notes.filename": "File name", "notes.name": "Title", "notes.about": "What it is about", "notes.removed": "The note is removed",
  "note.user": "user", "note.feedback": "feedback", "note.project": "project", "note.reference": "reference",

  "experience.title": "Experience", "experience.hint": "Episodes on the left, the patterns drawn from them, and the skills that these support. Select one to see its links.", "experience.none": "No experience yet.", "experience.cut": "The newest {0} of each are shown.",
  "experience.episodes": "Episodes", "experience.patterns": "Patterns", "experience.skills": "Skills", "experience.episode": "episode", "experience.pattern": "pattern", "experience.skill": "skill",
  "episode.outcome": "Outcome", "episode.actions": "What was done", "episode.errors": "Errors", "episode.files": "Files changed", "outcome.success": "success", "outcome.failure": "failure", "outcome.partial": "partial",
  "pattern.category": "Category", "pattern.conditions": "When", "pattern.right": "Do", "pattern.wrong": "Avoid",
  "skill.description": "What it is for", "skill.prerequisites": "Needs", "skill.steps": "Steps", "skill.errors": "Usual errors", "skill.exit": "Done when", "skill.example": "Example",

  "timeline.title": "Timeline", "timeline.none": "No turn yet.", "timeline.tokens": "{0} tokens of memory; the most here was {1}", "timeline.cost": "{0} tokens",
  "turn.injected": "told", "turn.referenced": "used", "turn.extracted": "learned", "turn.superseded": "replaced",
  "buffer.title": "Waiting to be learned from", "buffer.none": "Nothing waits.", "buffer.extract": "Learn from it now", "buffer.done": "Rounds: {0}, new records: {1}",
  "runs.title": "Runs of the extractor", "runs.none": "No run yet.", "runs.told": "rounds: {0}, facts: {1}", "runs.retry": "Try again", "runs.retry_all": "Try all again", "runs.retried": "It will be tried again",
  "run.running": "running", "run.written": "written", "run.done": "done", "run.failed": "failed", "run.parked": "parked",

  "review.title": "Review", "review.hint": "Set aside because it steers the agent or contradicts what is known. The agent does not see it until you let it in.", "review.none": "Nothing waits for your word.",
  "review.reason": "Why: {0}", "review.contradicts": "It contradicts", "review.accept": "Let in", "review.accepting": "Letting in “{0}”", "review.accepted": "Let in", "review.rejected": "Forgotten",

  "forget.title": "Forget", "forget.hint": "You first see what would go. What is forgotten is gone for good, with all that was drawn from it; you get a receipt.", "forget.by": "By", "forget.sources": "Also the conversations in which it was said",
  "way.query": "Words or meaning", "way.thread_id": "Thread", "way.source": "Source", "way.ids": "Ids", "way.everything": "Everything",
  "forget.dry": "Show what would go", "forget.would": "This would be forgotten", "forget.nothing": "Nothing fits", "forget.now": "Forget now ({0})",
  "receipt.title": "Forgotten", "receipt.id": "Receipt {0}, {1}", "receipt.save": "Save the receipt", "receipt.records": "Records", "receipt.derived": "Of them derived", "receipt.experience": "Experience", "receipt.profile": "Profile", "receipt.rounds": "Waiting rounds", "receipt.short_term": "Short-term items", "receipt.turns": "Turns", "receipt.said_in": "Conversations that still tell it",

  "stats.title": "Statistics", "stats.turns": "Turns", "stats.used": "Told and used", "stats.rounds": "Rounds waiting", "stats.parked": "Runs parked", "stats.kinds": "Records by kind and state", "stats.weights": "Records by weight", "stats.growth": "New records by day", "stats.store": "The store", "stats.cache": "Cache hits", "stats.disk": "On disk", "stats.failures": "Failures", "export": "Export everything",

  "keys.title": "Keyboard", "keys.on": "Single-key shortcuts are on", "keys.views": "Go to a view", "keys.search": "Search", "keys.step": "Next and previous record (↓ from the search)", "keys.new": "Remember something, or a new note", "keys.edit": "Edit the record", "keys.archive": "Archive or restore it", "keys.pin": "Pin or unpin it", "keys.forget": "Forget it", "keys.undo": "Undo", "keys.export": "Export, in the statistics", "keys.language": "English or Chinese", "keys.theme": "Light or dark", "keys.help": "This list",
};
