"""Compose a router and a worker prompt from profiles. Runs offline, with no key."""

from memory_middleware import AgentType, UserMemoryContent, WorkProfileContent, compose_prompt, merge_patch

user = UserMemoryContent.model_validate(
    {
        "occupation": "Product designer",
        "timezone": "Europe/Lisbon",
        "people": [{"name": "Marta", "relationship": "wife"}],
        "custom_rules": ["Always show prices in euro."],
    }
)
work = WorkProfileContent.model_validate(
    {"current_projects": [{"name": "Harbour", "status": "active", "deadline": "2026-12-11"}]}
)

# A patch merges objects, replaces lists whole, and null returns a field to its default.
user = merge_patch(user, {"occupation": None, "preferences": {"communication_style": "short answers first"}})

for agent in AgentType:
    composed = compose_prompt(agent, user_memory=user, work_memory=work, budget=80)
    print(f"=== {agent}: {composed.block.tokens} of 80 tokens for memory, {composed.tokens} in all\n")
    print(composed.text)
